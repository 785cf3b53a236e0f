/** A client is led to a relay, which passes every byte on and reads along: HTTP by the command line, and the socket. */
import { connect } from '@countersign/contract/client'
import type { Attack } from '../attack.ts'
import { fieldOf, runCommand } from '../command-line.ts'
import { startRelay } from '../relay.ts'

export const attack: Attack = {
  name: 'relay-passes-on',
  promise: 'A request that was signed for one address gets no answer at another, and the client notices.',
  mutant: 'addresses-unbound',
  async run(stage) {
    const { installation, gateway } = await stage.scene()
    const relay = await startRelay(gateway.url)
    stage.afterwards(() => relay.close())
    const environment = { COUNTERSIGN_HOME: installation.home }
    const { nodeArguments } = stage
    const status = (url: string) =>
      runCommand(['status', '--json', '--url', url], { environment, nodeArguments })
    const [through, direct] = [await status(relay.url), await status(gateway.url)]
    const read = relay.answers.filter((answer) => answer.status === 200).length
    return {
      open: read > 0 || through.exit === 0,
      control:
        fieldOf(direct.output, 'status', 'url') === gateway.url &&
        (await isWelcome(gateway.url, installation)),
      saw: `the relay read ${read} answers; the command said ${fieldOf(through.output, 'error', 'type') || 'nothing wrong'}`,
    }
  },
}

async function isWelcome(
  url: string,
  { signer }: { readonly signer: Parameters<typeof connect>[0]['signer'] },
): Promise<boolean> {
  const connection = await connect({ url, signer, since: null, onFrame: () => undefined })
  connection.close()
  await connection.ended
  return true
}
