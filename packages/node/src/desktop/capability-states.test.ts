import { describe, expect, it } from 'vitest'
import { capabilityStates, type SystemFacts, sessionOf } from './capability-states.ts'

const facts = (there: readonly string[], more: Partial<SystemFacts> = {}): SystemFacts => ({
  platform: 'linux',
  session: 'x11',
  programs: { find: async (program) => (there.includes(program) ? `/usr/bin/${program}` : undefined) },
  sandbox: { kind: 'unavailable', reason: 'no bubblewrap', fix: 'apt-get install bubblewrap' },
  mayUse: async () => 'yes',
  ...more,
})
const stateOf = async (name: string, given: SystemFacts) =>
  (await capabilityStates(given)).find(({ capability }) => capability === name)

describe('what can be done here', () => {
  it('is said of each, with what to do where it is not ready', async () => {
    const states = await capabilityStates(facts([]))
    expect(states.map(({ capability }) => capability)).toEqual([
      'files',
      'shell',
      'browser',
      'screen',
      'camera',
      'clipboard',
      'notifications',
      'location',
    ])
    for (const { capability, state, reason, fix } of states) {
      expect(state, capability).toBe('missing')
      expect(reason, capability).not.toBe('')
      expect(fix, capability).not.toBe('')
    }
  })

  it('is ready where a program of the session is there', async () => {
    expect(await stateOf('screen', facts(['scrot']))).toMatchObject({ state: 'ready', reason: '', fix: '' })
    expect(await stateOf('screen', facts(['grim']))).toMatchObject({ state: 'missing' })
    expect(await stateOf('screen', facts(['grim'], { session: 'wayland' }))).toMatchObject({ state: 'ready' })
    // Both directions, or none.
    expect(await stateOf('clipboard', facts(['wl-copy'], { session: 'wayland' }))).toMatchObject({
      state: 'missing',
    })
  })

  it('is not there without a session', async () => {
    const all = ['scrot', 'grim', 'xclip', 'notify-send', 'xdg-open']
    for (const name of ['browser', 'screen', 'clipboard', 'notifications'])
      expect(await stateOf(name, facts(all, { session: 'none' })), name).toMatchObject({ state: 'missing' })
  })

  it.each([
    ['yes', 'ready'],
    ['denied', 'denied'],
    ['missing', 'missing'],
  ] as const)('says of a camera that is %s: %s', async (may, state) => {
    expect(await stateOf('camera', facts(['fswebcam'], { mayUse: async () => may }))).toMatchObject({ state })
  })

  it('knows the session by the names that programs find it by', () => {
    expect(sessionOf({ WAYLAND_DISPLAY: 'wayland-0', DISPLAY: ':0' })).toBe('wayland')
    expect(sessionOf({ DISPLAY: ':0' })).toBe('x11')
    expect(sessionOf({ DISPLAY: '' })).toBe('none')
  })
})
