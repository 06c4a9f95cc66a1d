"""The interactive table, without the terminal: interprets typed lines and applies them to a session.

`table.Table` receives lines and returns results. `language` is the grammar of a line: questions, answers, declarations,
combatants. `verbs` has the words that work at any prompt.
"""
