/** Owns the property list of launchd and the calls to `launchctl`. Renders text and lists; writes and runs nothing. */
import type { ServicePlace } from './place.ts'
import { type RunStep, run, type Step } from './step.ts'
import type { UnitState } from './systemd.ts'

export function agentText(place: ServicePlace): string {
  const { name, shim, log, environment } = place
  const variables = Object.entries(environment).map(
    ([key, value]) => `    <key>${escaped(key)}</key>\n    <string>${escaped(value)}</string>`,
  )
  return `<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
<!-- Written by countersign service install, which writes it anew each time. -->
<plist version="1.0">
<dict>
  <key>Label</key>
  <string>${escaped(name)}</string>
  <key>ProgramArguments</key>
  <array>
    <string>${escaped(shim)}</string>
    <string>up</string>
    <string>--foreground</string>
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
const target = ({ user, name }: ServicePlace): string => `${domain(user)}/${name}`

/** Does nothing but answer, so it tells whether this user has a session. */
export const probe = (user: number): RunStep => run('launchctl', ['print', domain(user)])

export const enable = (place: ServicePlace): Step[] => [run('launchctl', ['enable', target(place)])]

/** Loading what is loaded already fails, and starting what runs already does nothing. */
export const start = (place: ServicePlace): Step[] => [
  { ...run('launchctl', ['bootstrap', domain(place.user), place.file]), mayFail: true },
  run('launchctl', ['kickstart', target(place)]),
]

export const stop = (place: ServicePlace): Step[] => [run('launchctl', ['bootout', target(place)])]

export const restart = (place: ServicePlace): Step[] => [run('launchctl', ['kickstart', '-k', target(place)])]

export const lookStep = (place: ServicePlace): RunStep => run('launchctl', ['print', target(place)])

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
