/** Nodes of the scripted gateway: one that works, one that its system limits, one that complains, and one that asks. */
import { id, minutes } from './ids.ts'
import type { ScriptedAnswer } from './scripted-answer.ts'

const day = 1_440

/** `devices=alone` has none, as it has no other device. */
const isAlone = () => new URLSearchParams(window.location.search).get('devices') === 'alone'

const all = ['files', 'shell', 'browser', 'screen', 'camera', 'clipboard', 'notifications', 'location']

const troubles: Readonly<Record<string, { state: string; reason: string; fix: string }>> = {
  screen: {
    state: 'denied',
    reason: 'macOS does not let this program see the screen.',
    fix: 'Allow it in System Settings, Privacy & Security, Screen Recording.',
  },
  camera: { state: 'off', reason: 'Its policy file switches it off.', fix: 'Change node-policy.json there.' },
  location: { state: 'missing', reason: 'Nothing there knows where it is.', fix: '' },
}

const capabilities = (troubled: readonly string[]) =>
  all.map((capability) => ({
    capability,
    ...(troubled.includes(capability) ? troubles[capability] : { state: 'ready', reason: '', fix: '' }),
  }))

const node = (number: number, name: string, platform: string, other: object = {}) => ({
  id: id('node', number),
  name,
  platform,
  key: btoa(String(number).padStart(32, 'n')),
  addedAt: minutes(-number * 10 * day),
  revokedAt: null,
  online: true,
  seenAt: minutes(-1),
  advert: advert({}),
  off: [],
  complaint: null,
  busy: 0,
  ...other,
})

const advert = (other: object) => ({
  executor: id('exe', 7),
  platform: 'linux',
  version: '0.1.0',
  sandbox: { kind: 'available', name: 'bubblewrap' },
  folder: 'Countersign',
  capabilities: capabilities(['location']),
  statements: 4,
  witnessed: 48_200,
  ...other,
})

const nodes = () => [
  node(1, 'workshop', 'Linux', { busy: 2, off: ['clipboard'] }),
  node(2, 'Mira’s laptop', 'macOS', {
    advert: advert({
      platform: 'darwin',
      version: '0.0.9',
      capabilities: capabilities(['screen', 'camera', 'location']),
      sandbox: {
        kind: 'unavailable',
        reason: 'sandbox-exec was not found.',
        fix: 'Update macOS.',
      },
    }),
  }),
  node(3, 'attic', 'Linux', {
    online: false,
    seenAt: minutes(-90),
    complaint: 'At 48 150 entries the ledger it was shown does not continue the one it saw at 48 100.',
  }),
  node(4, 'rented server', 'Linux', { online: false, seenAt: null, advert: null }),
  node(5, 'old tower', 'Windows', { revokedAt: minutes(-2 * day), online: false }),
]

const requestId = `${'0'.repeat(31)}5`

export const nodeAnswers: Readonly<Record<string, ScriptedAnswer>> = {
  'GET /v1/nodes': () => ({ nodes: isAlone() ? [] : nodes() }),
  'GET /v1/nodes/pairing/requests': () =>
    isAlone()
      ? []
      : [
          {
            id: requestId,
            node: id('node', 9),
            executor: id('exe', 9),
            key: btoa('9'.padStart(32, 'n')),
            name: 'garden pi',
            platform: 'Linux',
            nonce: 'n'.repeat(22),
            createdAt: minutes(-1),
            expiresAt: minutes(9),
          },
        ],
  [`POST /v1/nodes/*/requests/${requestId}/refuse`]: () => ({ ok: true, ledger: 48_260 }),
  'POST /v1/nodes/*/limit': () => ({ ok: true, ledger: 48_261 }),
}
