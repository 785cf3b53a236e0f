/** Owns who stands in for an agent that was removed or switched off: it says so, and has nothing to do anything with. */
import { type Agent, AgentSettings } from '@countersign/contract'

export function goneAgent(id: string): Agent {
  return {
    ...AgentSettings.parse({
      name: 'Nobody',
      systemPrompt:
        'The agent that this conversation was with has been removed or switched off. Say so, and that the operator ' +
        'can go on with another: `countersign agent list`.',
      toolGroups: ['core'],
      dataAccess: [],
    }),
    id,
    kind: 'custom',
    builtIn: false,
    changed: false,
    isDefault: false,
    label: null,
    updatedAt: null,
  }
}
