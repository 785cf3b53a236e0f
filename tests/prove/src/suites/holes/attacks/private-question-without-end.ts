/** A model asks something in a private conversation, and nobody ever answers: its words would stay as long as it waits. */
import { settledRun } from '@countersign/harness'
import { until } from '../../../until.ts'
import type { Attack } from '../attack.ts'

export const attack: Attack = {
  name: 'private-question-without-end',
  promise: 'A private conversation in which nothing happens is erased, also while it waits for an answer.',
  mutant: 'questions-keep-conversations',
  async run(stage) {
    const scene = await stage.ownScene({ passing: true })
    const { client } = scene.gateway
    scene.plan('private-ask', [[{ name: 'ask_operator', args: { question: 'Which of them?' } }]])
    const sent = await client.send({
      key: crypto.randomUUID(),
      session: null,
      text: 'private-ask',
      mode: 'auto',
      private: true,
    })
    const { run } = await settledRun(client, sent.run ?? '', 'parked')
    const isThere = async () => (await client.sessions()).some(({ id }) => id === sent.session)
    const wasThere = await isThere()
    scene.installation.pass(31 * 60_000)
    const isGone = await until(async () => !(await isThere()), 45_000)
    return {
      open: !isGone,
      control: wasThere && run.parkedOn === 'question',
      saw: `the run waited for ${run.parkedOn}; the conversation is ${isGone ? 'gone' : 'still there'}`,
    }
  },
}
