package admission

// mutating returns the policy that injects.
func (c *compiler) mutating() *policy { return &c.policy }
