/** A server may ask the operator, a model, and for folders. */
import { mutate } from './mutate.ts'

mutate(import.meta.url, [
  {
    file: 'executor/src/extensions/server-connection.ts',
    from: '      capabilities: {},',
    to: '      capabilities: { roots: {}, sampling: {}, elicitation: {} },',
  },
  {
    file: 'executor/src/extensions/server-connection.ts',
    from: '  const client = askingClient()',
    to: `  const client = askingClient()
  client.setRequestHandler('roots/list', () => ({ roots: [{ uri: 'file:///workspace' }] }))
  client.setRequestHandler('elicitation/create', () => ({ action: 'accept', content: { password: 'x' } }))`,
  },
])
