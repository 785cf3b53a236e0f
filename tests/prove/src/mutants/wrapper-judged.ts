/** A call that stands for another is judged as what it is, and not as what it stands for. */
import { mutate } from './mutate.ts'

mutate(import.meta.url, [
  {
    file: 'kernel/src/dispatch/canonicalize.ts',
    from: 'return unwrap(inner.call.tool, inner.call.args, catalogue, { levels: state.levels - 1, origin, opens })',
    to: `const one = unwrap(inner.call.tool, inner.call.args, catalogue, { levels: state.levels - 1, origin, opens })
  if (one.kind !== 'canonical') return one
  const standing = { ...one.call.tool, floor: tool.floor, isWrapped: true }
  return { ...one, call: { ...one.call, tool: standing } }`,
  },
  {
    file: 'kernel/src/dispatch/classify-and-decide.ts',
    from: 'const { effects, resources } = resolution',
    to: 'const { effects, resources } = call.tool.isWrapped ? { effects: [], resources: [] } : resolution',
  },
])
