import { openInstallation, settledRun } from '@countersign/harness'
import { expect, test } from 'vitest'

test('the rates that the operator set hold through a restart, are shown, and leave their own calls alone', async () => {
  const installation = await openInstallation({
    script: ({ lastResults }) =>
      lastResults.length > 0
        ? { text: 'Done.' }
        : {
            calls: ['1', '2', '3', '4'].map((text) => ({
              name: text < '3' ? 'count_words' : 'generate_uuid',
              args: text < '3' ? { text } : {},
            })),
          },
    environment: { COUNTERSIGN_RATES: 'all=3,count_words=1' },
  })
  let gateway = await installation.start()
  const say = async () => {
    const { run } = await gateway.client.send({
      key: crypto.randomUUID(),
      session: null,
      text: 'go',
      mode: 'auto',
    })
    const { calls } = await settledRun(gateway.client, run ?? '')
    return calls.map(({ outcome, summary }) => (outcome === 'denied' ? summary?.split(' may')[0] : outcome))
  }
  try {
    expect(await say()).toEqual(['ok', 'count_words', 'ok', 'ok'])
    await gateway.kill()
    gateway = await installation.start()
    expect(await say()).toEqual(['count_words', 'count_words', 'All tools together', 'All tools together'])
    const { rate } = await gateway.client.tool('count_words')
    expect(rate).toEqual({ calls: 1, seconds: 60 })
    expect((await gateway.client.tool('execute_shell')).rate).toEqual({ calls: 5, seconds: 60 })
    for (const text of ['1', '2']) {
      const { run } = await gateway.client.callTool('count_words', JSON.stringify({ text }))
      expect((await settledRun(gateway.client, run)).calls.map(({ outcome }) => outcome)).toEqual(['ok'])
    }
  } finally {
    await installation.close()
  }
})
