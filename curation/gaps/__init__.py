"""Knowledge gaps: from what was refused to a pin that answers it, and to a question that must stay answered."""
