"""Rules that both editions of Eclipse Phase share. Nothing here imports an edition."""
