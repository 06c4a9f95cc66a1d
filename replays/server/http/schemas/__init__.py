"""The JSON Schemas of documents whose form is not that of one class: exported lines, tables and sheets of rulesets."""
