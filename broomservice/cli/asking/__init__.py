"""A referee at the table: plain sentences in, answers with reasons and passages out."""
