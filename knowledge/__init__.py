"""What claims, facts, persons and instructions are: value types and pure functions over them. No I/O, no clock.

What is said: `claims`, `wording`, `kinds`, `predicates`. What two of them are to each other: `identity`, `positions`,
`exclusion`, `objects`. What becomes of them in time: `timeline`, `versions`, `reasons`, `stability`; of
a graph's statements `statements`, of episodes `decay` and `outcomes`. `ids` names what is made from something else. Of
texts: `chunks` cuts a long one, `quotation` takes out what is not its author's own.
"""
