"""The table in the terminal, without the terminal: what a typed line means, and what it does.

`table.Table` takes lines and gives replies; `asking` says what the table waits for; `answering` reads an answer to it;
`verbs` are the words that work at any prompt; `joining` brings combatants in; `grammar` is the grammar of a line.
"""
