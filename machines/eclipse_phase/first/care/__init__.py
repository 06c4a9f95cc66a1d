"""Medical care, surgery, repair, rest and psychotherapy, with their charts."""
