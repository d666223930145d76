package admission

// validating returns the policy that refuses pods that lack what injectors declare, or that Pillion would refuse.
func (c *compiler) validating() *policy { return &c.policy }
