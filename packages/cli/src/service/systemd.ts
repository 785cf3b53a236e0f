/** Owns the unit of systemd and the calls to `systemctl --user`. Renders text and lists; writes and runs nothing. */
import type { ServicePaths } from './service-paths.ts'
import { type RunStep, runStep, type ServiceStep } from './service-step.ts'

/** Three failed starts within five minutes end it, so that a broken host is not kept busy. */
export function unitText(servicePaths: ServicePaths): string {
  const { shim, log, environment, secretsFile, name, about, command, writer } = servicePaths
  return `# Written by \`${writer}\`, which writes it anew each time.
# Changes of your own belong into \`systemctl --user edit ${name}\`.
[Unit]
Description=${about}
StartLimitIntervalSec=300
StartLimitBurst=3

[Service]
Type=exec
ExecStart=${quoted(shim).replaceAll('$', '$$$$')} ${command.join(' ')}
${Object.entries(environment)
  .map(([key, value]) => `Environment=${quoted(`${key}=${value}`)}`)
  .join('\n')}
EnvironmentFile=-${specified(secretsFile)}
UMask=0077
KillMode=mixed
TimeoutStopSec=90
Restart=on-failure
RestartSec=5
RestartPreventExitStatus=78
StandardOutput=append:${specified(log)}
StandardError=append:${specified(log)}

[Install]
WantedBy=default.target
`
}

/** Does nothing but answer, so it tells whether there is a manager for this user. */
export const probe = runStep('systemctl', ['--user', 'show-environment'])

export const reload = runStep('systemctl', ['--user', 'daemon-reload'])

export function verbSteps(
  verb: 'enable' | 'disable' | 'start' | 'stop' | 'restart',
  name: string,
): ServiceStep[] {
  const args = verb === 'disable' ? ['disable', '--now'] : [verb]
  return [runStep('systemctl', ['--user', ...args, name])]
}

export function lookStep(name: string): RunStep {
  return runStep('systemctl', ['--user', 'show', name, `--property=${shown.join(',')}`])
}

const shown = ['LoadState', 'ActiveState', 'SubState', 'MainPID', 'UnitFileState', 'NRestarts'] as const

export interface UnitState {
  readonly active: boolean
  readonly enabled: boolean
  readonly pid: number | null
  readonly words: string
}

export function unitState(output: string): UnitState {
  const values = new Map(
    output.split('\n').map((line): [string, string] => {
      const at = line.indexOf('=')
      return [line.slice(0, at), line.slice(at + 1).trim()]
    }),
  )
  const pid = Number(values.get('MainPID') ?? 0)
  const active = values.get('ActiveState') ?? 'unknown'
  const restarts = Number(values.get('NRestarts') ?? 0)
  return {
    active: active === 'active',
    enabled: values.get('UnitFileState') === 'enabled',
    pid: pid > 0 ? pid : null,
    words: `${active} (${values.get('SubState') ?? 'unknown'})${restarts > 0 ? `, restarted ${restarts} times` : ''}`,
  }
}

/** The program that a unit starts; undefined where none is named. */
export function unitProgram(text: string): string | undefined {
  const line = /^ExecStart=(.*)$/m.exec(text)?.[1]
  const inQuotes = /^"((?:[^"\\]|\\.)*)"/.exec(line ?? '')?.[1]
  const word = inQuotes?.replaceAll(/\\(.)/g, '$1') ?? line?.split(' ')[0]
  return word?.replaceAll('%%', '%').replaceAll('$$', '$') || undefined
}

function quoted(text: string): string {
  return `"${specified(text).replaceAll(/["\\]/g, '\\$&')}"`
}

/** A percent sign begins a specifier unless it is doubled. */
function specified(text: string): string {
  return text.replaceAll('%', '%%')
}
