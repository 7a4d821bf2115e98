"""Reading what people say, without a language model: a folder for each language that has rules.

`base` holds what goes in (turns) and comes out (claims, entities) and what a reader of a language is; `detecting` tells
which language a text is in; `reading` hands each turn to the reader of its language. A text in a language without a
reader gives no claims and no entities; recall finds it all the same.
"""
