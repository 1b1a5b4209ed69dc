"""The screens, as pure functions from (model, size, caps) to styled lines."""
