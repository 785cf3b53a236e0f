/** `countersign doctor`: looks, and changes nothing. Each finding has its evidence and its fix. */
import type { Handler } from '../context.ts'
import { examine, type Finding } from '../examination.ts'
import { done, failed } from '../output/answer.ts'
import type { Paint } from '../output/colour.ts'
import { columns } from '../output/columns.ts'
import { line } from '../output/safe.ts'

const errorsExit = 13

export const doctor: Handler = async (context) => {
  const findings = await examine(context)
  const errors = findings.filter((finding) => finding.severity === 'error')
  const text = findingsText(findings, context.paint)
  if (errors.length === 0) return done({ findings }, text)
  if (!context.flags.json) context.host.output.write(`${text}\n`)
  return failed({
    type: 'doctor_found_errors',
    message: `${errors.length} ${errors.length === 1 ? 'error' : 'errors'}: ${errors.map((finding) => finding.id).join(', ')}.`,
    next: errors[0]?.fix ?? '',
    exit: errorsExit,
    details: { findings },
  })
}

function findingsText(findings: readonly Finding[], paint: Paint): string {
  const ink = { ok: 'good', warning: 2, error: 'bad' } as const
  const rows = findings.map((finding) => [
    paint(ink[finding.severity], finding.severity),
    finding.id,
    line(finding.evidence),
  ])
  const fixes = findings
    .filter((finding) => finding.fix !== '')
    .map((finding) => `  ${finding.id}: ${line(finding.fix)}`)
  return [columns(rows), ...(fixes.length > 0 ? ['', 'To do', ...fixes] : [])].join('\n')
}
