/** Notifications of this browser in the step “Reach me”: allowed here, and tried here. On a phone it is the phone's. */
import { useQuery } from '@tanstack/react-query'
import { isSubscribed, pushProblem, subscribe } from '../../data/push.ts'
import { useChange } from '../../environment/queries.ts'
import { Button, FormError } from '../../kit/index.ts'
import { words } from '../../words/setup.tsx'
import { Arrived } from './reach-arrived.tsx'

export function ReachPush({ busy, onArrived }: { busy: boolean; onArrived: () => void }) {
  const problem = pushProblem(window)
  const on = useQuery({ queryKey: ['push', 'here'], queryFn: () => isSubscribed(window) })
  const test = useChange(
    async (client) => {
      if (on.data !== true) {
        const outcome = await subscribe(window, client)
        if (outcome.kind === 'impossible') return outcome.reason
      }
      const { ok, problem: refused } = await client.testPush()
      return ok ? null : (refused ?? words.reach.notSent)
    },
    [['push'], ['onboarding']],
  )
  if (problem !== null) return <p className="mt-2 text-small text-ink-2">{problem}</p>
  const send = () => test.mutate()
  const failed = typeof test.data === 'string' ? test.data : null
  return (
    <>
      {test.data === null ? null : (
        <Button className="mt-3" busy={test.isPending} onClick={send}>
          {on.data === true ? words.reach.sendTest : words.reach.allowAndTest}
        </Button>
      )}
      {failed === null ? null : (
        <p role="alert" className="mt-2 font-medium text-bad">
          {failed}
        </p>
      )}
      {test.error === null ? null : <FormError error={test.error} />}
      {test.data === null ? (
        <Arrived isAsked note={null} busy={busy || test.isPending} onYes={onArrived} onAgain={send} />
      ) : null}
    </>
  )
}
