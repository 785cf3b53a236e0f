/** `countersign doctor`: looks, and changes nothing unless it is asked to. Each finding has its evidence and its fix. */
import {
  backupFolder,
  carryOutRepairs,
  type DoctorRepair,
  plannedRepairs,
  type RepairReport,
  repairText,
} from '@countersign/contract/doctor'
import { consentTo } from '../consent.ts'
import type { Context, Handler } from '../context.ts'
import { type DoctorFinding, runDoctorChecks } from '../doctor.ts'
import { type CommandAnswer, done, failed } from '../output/answer.ts'
import type { Paint } from '../output/colour.ts'
import { columns } from '../output/columns.ts'
import { usage } from '../output/failure.ts'
import { line } from '../output/safe-text.ts'

const errorsExit = 13

export const doctor: Handler = async (context, _args, options) => {
  const deep = options['deep'] === true
  if (options['fix'] !== true) {
    if (options['dryRun'] === true) return usage('--dry-run goes with --fix.', 'doctor')
    context.working(deep ? 'Looking at everything, and verifying the ledger' : 'Looking at everything')
    return reported(context, await runDoctorChecks(context, { deep }), {})
  }
  return fixed(context, deep, options['dryRun'] === true)
}

/** Looks, shows the plan, asks, does it, and looks again: what is reported is how things are now. */
async function fixed(context: Context, deep: boolean, dryRun: boolean): Promise<CommandAnswer> {
  const findings = await runDoctorChecks(context, { deep })
  const repairs = plannedRepairs(findings)
  if (repairs.length === 0) return reported(context, findings, { plan: [] })
  const { state } = await context.paths()
  const now = context.host.clock()
  const plan = repairs.map(repairText)
  const text = planText(plan, backupFolder(state, now))
  if (dryRun) return done({ plan: repairs, dryRun: true, findings }, `${text}\nNothing was changed.`)
  const consent = await consentTo(context, {
    plan: text,
    question: 'Apply these changes? Type yes, or anything else to change nothing',
    word: 'yes',
  })
  if (consent === 'nobody-to-ask')
    return usage(
      `The plan has ${repairs.length} changes and needs a confirmation in a terminal. See it with --fix --dry-run, or add --yes.`,
      'doctor',
    )
  if (consent === 'withheld') return done({ plan: repairs, fixed: false, findings }, 'Nothing was changed.')
  const repaired = carryOutRepairs(repairs, state, now)
  return reported(context, await runDoctorChecks(context, { deep }), { plan: repairs, repaired })
}

interface RepairState {
  readonly plan?: readonly DoctorRepair[]
  readonly repaired?: RepairReport
}

function reported(context: Context, findings: readonly DoctorFinding[], fixing: RepairState): CommandAnswer {
  const errors = findings.filter((finding) => finding.severity === 'error')
  const text = [...repairedText(fixing), findingsText(findings, context.paint)].join('\n')
  if (errors.length === 0) return done({ findings, ...fixing }, text)
  if (!context.flags.json) context.say(text)
  return failed({
    type: 'doctor_found_errors',
    message: `${errors.length} ${errors.length === 1 ? 'error' : 'errors'}: ${errors.map((finding) => finding.id).join(', ')}.`,
    next: errors[0]?.fix ?? '',
    exit: errorsExit,
    details: { findings, ...fixing },
  })
}

function planText(plan: readonly string[], backup: string): string {
  return [
    'The plan',
    ...plan.map((each) => `  ${line(each)}`),
    `The previous files are kept in ${line(backup)}`,
  ].join('\n')
}

function repairedText({ plan, repaired }: RepairState): string[] {
  if (repaired === undefined) return plan === undefined ? [] : ['There is nothing to fix.', '']
  return [
    ...repaired.done.map((each) => `done    ${line(each)}`),
    ...repaired.failed.map((each) => `failed  ${line(each)}`),
    `kept    ${line(repaired.backup)}`,
    '',
  ]
}

function findingsText(findings: readonly DoctorFinding[], paint: Paint): string {
  const ink = { ok: 'good', hint: 'quiet', warning: 2, error: 'bad' } as const
  const rows = findings.map((finding) => [
    paint(ink[finding.severity], finding.severity),
    finding.id,
    line(finding.evidence),
  ])
  const fixes = findings
    .filter((finding) => finding.fix !== '')
    .map((finding) => `  ${finding.id}: ${line(finding.fix)}`)
  const repairable = findings.some(({ repairs }) => repairs.length > 0)
  return [
    columns(rows),
    ...(fixes.length > 0 ? ['', 'To do', ...fixes] : []),
    ...(repairable ? ['', 'Some problems can be fixed automatically: `countersign doctor --fix`.'] : []),
  ].join('\n')
}
