"""First aid, surgery, repair, waking and recovery, with their charts."""
