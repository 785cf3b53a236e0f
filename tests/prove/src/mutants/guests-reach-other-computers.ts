/** Whoever answers somebody else than the operator may use other computers. */
import { mutate } from './mutate.ts'

mutate(import.meta.url, [
  {
    file: 'assistant/src/agents/agent-tools.ts',
    from: "'devices',\n      'servers',\n      'customTools',\n    ],\n    onlyLooking: [],\n    tools: ['ask_operator', 'remember'",
    to: "'servers',\n      'customTools',\n    ],\n    onlyLooking: [],\n    tools: ['ask_operator', 'remember'",
  },
])
