/** A server may ask the operator, a model, and for folders, also where nobody can be asked. */
import { mutate } from './mutate.ts'

mutate(import.meta.url, [
  {
    file: 'executor/src/extensions/server-connection.ts',
    from: 'capabilities: questions ? { elicitation: { form: {} } } : {},',
    to: 'capabilities: { roots: {}, sampling: {}, elicitation: {} },',
  },
  {
    file: 'executor/src/extensions/server-connection.ts',
    from: '  client.fallbackRequestHandler = async ({ method, params }, { mcpReq }) => {',
    to: `  client.fallbackRequestHandler = async ({ method, params }, { mcpReq }) => {
    if (method === 'roots/list') return { roots: [{ uri: 'file:///workspace' }] }
    if (!questions && method === 'elicitation/create') return { action: 'accept', content: { password: 'x' } }`,
  },
])
