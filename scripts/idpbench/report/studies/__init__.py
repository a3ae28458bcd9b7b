"""Studies: one question, asked once, answered from published sides by two arms that differ in one knob."""
