/** A call that stands inside another is judged as if nothing untrusted had been seen. */
import { mutate } from './mutate.ts'

mutate(import.meta.url, [
  {
    file: 'kernel/src/dispatch/authorize.ts',
    from: '    label: caller.label,\n',
    to: `    label: row.parent_id === null && row.model_tool === row.tool ? caller.label : clean,
`,
  },
  {
    file: 'kernel/src/dispatch/authorize.ts',
    from: "const lost: CallAssessment = { kind: 'impossible'",
    to: `const clean = { integrity: 'operator', confidentiality: 'public', sources: [] as string[] } as const
const lost: CallAssessment = { kind: 'impossible'`,
  },
])
