import { configure } from '@testing-library/react'

// A loaded machine may stand still for longer than the second that is waited by default.
configure({ asyncUtilTimeout: 10_000 })
