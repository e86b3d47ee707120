"""Forms: text from people turned into the arguments of services, refusals shown beside their fields."""
