/** Owns what can be done on this computer now: whether its system has the means and lets them be used. */
import { constants } from 'node:fs'
import { access } from 'node:fs/promises'
import { NodeCapability, type NodeCapabilityState } from '@countersign/contract'
import type { SandboxProbe } from '@countersign/executor/node'
import { camera, type DesktopAction, type DesktopSession, desktopCommands } from './commands.ts'
import type { SystemPrograms } from './system-programs.ts'

export interface SystemFacts {
  readonly platform: NodeJS.Platform
  readonly session: DesktopSession
  readonly programs: Pick<SystemPrograms, 'find'>
  readonly sandbox: SandboxProbe
  /** Whether a device file may be used; by a look at its permissions where nobody says otherwise. */
  readonly mayUse?: (path: string) => Promise<'yes' | 'denied' | 'missing'>
}

/** In the order in which they are told. */
export function capabilityStates(facts: SystemFacts): Promise<NodeCapabilityState[]> {
  return Promise.all(NodeCapability.options.map((capability) => stateOf(capability, facts)))
}

export function sessionOf(environment: Readonly<Record<string, string>>): DesktopSession {
  if (environment['WAYLAND_DISPLAY']) return 'wayland'
  return environment['DISPLAY'] ? 'x11' : 'none'
}

async function stateOf(capability: NodeCapability, facts: SystemFacts): Promise<NodeCapabilityState> {
  const { sandbox, platform, session } = facts
  if (capability === 'files' || capability === 'shell') {
    if (sandbox.kind === 'available') return ready(capability)
    return missing(capability, `There is no sandbox: ${sandbox.reason}.`, sandbox.fix)
  }
  if (platform === 'linux' && session === 'none' && needsSession.has(capability))
    return missing(
      capability,
      'Nobody is logged in to a desktop.',
      'Run the node within your desktop session, so that it has WAYLAND_DISPLAY or DISPLAY.',
    )
  if (!(await hasProgram(capability, facts)))
    return missing(
      capability,
      `No program here can do it.`,
      fixes[platform]?.[capability] ?? 'There is no way on this system.',
    )
  if (capability === 'camera' && platform === 'linux') return cameraState(facts)
  return ready(capability)
}

async function hasProgram(
  capability: NodeCapability,
  { platform, session, programs }: SystemFacts,
): Promise<boolean> {
  const wanted = actionsFor[capability] ?? []
  for (const action of wanted) {
    const found = await Promise.all(
      desktopCommands(action, { platform, session }).map(({ program }) => programs.find(program)),
    )
    if (found.every((path) => path === undefined)) return false
  }
  return wanted.length > 0
}

const actionsFor: Partial<Record<NodeCapability, readonly DesktopAction[]>> = {
  browser: [{ do: 'open', url: '' }],
  screen: [{ do: 'capture-screen', file: '' }],
  camera: [{ do: 'take-picture', file: '' }],
  clipboard: [{ do: 'read-clipboard' }, { do: 'write-clipboard', text: '' }],
  notifications: [{ do: 'notify', title: '', text: '' }],
  location: [{ do: 'locate' }],
}

const needsSession: ReadonlySet<NodeCapability> = new Set(['browser', 'screen', 'clipboard', 'notifications'])

const fixes: Partial<Record<NodeJS.Platform, Partial<Record<NodeCapability, string>>>> = {
  linux: {
    browser: 'Install xdg-utils.',
    screen: 'Install grim (Wayland) or scrot (X11).',
    camera: 'Install fswebcam or ffmpeg.',
    clipboard: 'Install wl-clipboard (Wayland) or xclip (X11).',
    notifications: 'Install libnotify-bin.',
    location: 'Install geoclue-2-demo.',
  },
  darwin: { camera: 'Install imagesnap.', location: 'Install corelocationcli.' },
}

async function cameraState({ mayUse = deviceState }: SystemFacts): Promise<NodeCapabilityState> {
  const state = await mayUse(camera)
  if (state === 'yes') return ready('camera')
  if (state === 'missing') return missing('camera', `There is no ${camera}.`, 'Connect a camera.')
  const fix = 'Add your user to the group video, and log in again.'
  return { capability: 'camera', state: 'denied', reason: `Your user may not use ${camera}.`, fix }
}

async function deviceState(path: string): Promise<'yes' | 'denied' | 'missing'> {
  try {
    await access(path, constants.R_OK | constants.W_OK)
    return 'yes'
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ENOENT' ? 'missing' : 'denied'
  }
}

function ready(capability: NodeCapability): NodeCapabilityState {
  return { capability, state: 'ready', reason: '', fix: '' }
}

function missing(capability: NodeCapability, reason: string, fix: string): NodeCapabilityState {
  return { capability, state: 'missing', reason: reason.slice(0, 300), fix: fix.slice(0, 300) }
}
