"""All writes of the collection: one function a use case, one transaction."""
