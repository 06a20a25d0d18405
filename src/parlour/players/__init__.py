"""Those that think: from the one that draws lots upwards."""
