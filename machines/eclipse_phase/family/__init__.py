"""What both editions of Eclipse Phase say, each function with both citations. It knows neither edition."""
