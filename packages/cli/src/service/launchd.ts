/** Owns the property list of launchd and the calls to `launchctl`. Renders text and lists; writes and runs nothing. */
import type { ServicePaths } from './service-paths.ts'
import { type RunStep, runStep, type ServiceStep } from './service-step.ts'
import type { UnitState } from './systemd.ts'

export function agentText(servicePaths: ServicePaths): string {
  const { name, shim, log, environment, command, writer } = servicePaths
  const variables = Object.entries(environment).map(
    ([key, value]) => `    <key>${escaped(key)}</key>\n    <string>${escaped(value)}</string>`,
  )
  return `<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
<!-- Written by ${writer}, which writes it anew each time. -->
<plist version="1.0">
<dict>
  <key>Label</key>
  <string>${escaped(name)}</string>
  <key>ProgramArguments</key>
  <array>
    <string>${escaped(shim)}</string>
${command.map((word) => `    <string>${word}</string>`).join('\n')}
  </array>
  <key>EnvironmentVariables</key>
  <dict>
${variables.join('\n')}
  </dict>
  <key>RunAtLoad</key>
  <true/>
  <key>KeepAlive</key>
  <dict>
    <key>SuccessfulExit</key>
    <false/>
  </dict>
  <key>ThrottleInterval</key>
  <integer>30</integer>
  <key>ExitTimeOut</key>
  <integer>90</integer>
  <key>Umask</key>
  <integer>63</integer>
  <key>StandardOutPath</key>
  <string>${escaped(log)}</string>
  <key>StandardErrorPath</key>
  <string>${escaped(log)}</string>
</dict>
</plist>
`
}

const domain = (user: number): string => `gui/${user}`
const target = ({ user, name }: ServicePaths): string => `${domain(user)}/${name}`

/** Does nothing but answer, so it tells whether this user has a session. */
export const probe = (user: number): RunStep => runStep('launchctl', ['print', domain(user)])

export const enable = (servicePaths: ServicePaths): ServiceStep[] => [
  runStep('launchctl', ['enable', target(servicePaths)]),
]

/** Loading what is loaded already fails, and starting what runs already does nothing. */
export const start = (servicePaths: ServicePaths): ServiceStep[] => [
  { ...runStep('launchctl', ['bootstrap', domain(servicePaths.user), servicePaths.file]), mayFail: true },
  runStep('launchctl', ['kickstart', target(servicePaths)]),
]

export const stop = (servicePaths: ServicePaths): ServiceStep[] => [
  runStep('launchctl', ['bootout', target(servicePaths)]),
]

export const restart = (servicePaths: ServicePaths): ServiceStep[] => [
  runStep('launchctl', ['kickstart', '-k', target(servicePaths)]),
]

export const lookStep = (servicePaths: ServicePaths): RunStep =>
  runStep('launchctl', ['print', target(servicePaths)])

export function agentState(output: string): UnitState {
  const state = /^\s*state = (.+)$/m.exec(output)?.[1] ?? 'not loaded'
  const pid = /^\s*pid = (\d+)$/m.exec(output)?.[1]
  return {
    active: state === 'running',
    enabled: output !== '',
    pid: pid === undefined ? null : Number(pid),
    words: state,
  }
}

/** The program that a property list starts; undefined where none is named. */
export function agentProgram(text: string): string | undefined {
  const found = /<key>ProgramArguments<\/key>\s*<array>\s*<string>([^<]*)<\/string>/.exec(text)?.[1]
  return found?.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&') || undefined
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}
