/**
 * Somebody on the way changes what the gateway answers, or answers in its place: the address in its status, an error
 * with advice, and the state of a request to be let in.
 */
import { createClient, type Transport } from '@countersign/contract/client'
import type { Attack } from '../attack.ts'
import { newcomer } from '../newcomer.ts'

const evil = 'http://127.0.0.1:1'

export const attack: Attack = {
  name: 'answer-changed',
  promise: 'An answer that the gateway did not sign for this question is not read, not even its error.',
  mutant: 'answers-unproven',
  async run(stage) {
    const { installation, gateway } = await stage.scene()
    const { url } = gateway
    const { signer } = installation
    const changing: Transport = async (to, request) => {
      const answer = await fetch(to, request)
      const text = (await answer.text()).replaceAll(url, evil)
      return new Response(text, { status: answer.status, headers: answer.headers })
    }
    const inItsPlace: Transport = async () =>
      Response.json({ ok: false, error: { type: 'expired', message: evil, next: evil } }, { status: 410 })
    const approving: Transport = async (to, request) =>
      to.pathname === '/v1/pairing'
        ? fetch(to, request)
        : Response.json({ state: 'approved', device: installation.identity.device.id, reach: 3 })
    const believed = await Promise.all([
      createClient({ url, signer, fetch: changing })
        .status()
        .then(
          (status) => status.url === evil,
          () => false,
        ),
      createClient({ url, signer, fetch: inItsPlace })
        .status()
        .then(
          () => false,
          (error: Error) => error.message === evil,
        ),
      newcomer({ url, key: installation.identity.trust.gateway.key, fetch: approving })
        .state('0'.repeat(32))
        .then(
          ({ state }) => state === 'approved',
          () => false,
        ),
    ])
    const told = await gateway.client.status()
    const state = await newcomer({ url, key: installation.identity.trust.gateway.key }).state('0'.repeat(32))
    return {
      open: believed.includes(true),
      control: told.url === url && state.state === 'expired',
      saw: `believed: status ${String(believed[0])}, error ${String(believed[1])}, pairing ${String(believed[2])}`,
    }
  },
}
