/** Stops everything that is under way, after it was asked whether that is meant. */

import type { RunView } from '@countersign/contract'
import { Square } from 'lucide-react'
import { useState } from 'react'
import { useChange } from '../../environment/queries.ts'
import { Button, Dialog, useNotify } from '../../kit/index.ts'
import { words } from '../../words/activity.tsx'
import { words as common } from '../../words/common.ts'

export function StopAll({ runs }: { runs: readonly RunView[] }) {
  const [asking, setAsking] = useState(false)
  const notify = useNotify()
  const open = runs.filter(({ state }) => state !== 'stopped')
  const stop = useChange(
    async (client) => {
      for (const { id } of open) await client.stopRun(id)
    },
    [['runs'], ['run']],
  )
  if (open.length < 2) return null
  return (
    <>
      <Button size="small" icon={Square} onClick={() => setAsking(true)}>
        {words.stopAll.button}
      </Button>
      <Dialog
        open={asking}
        onClose={() => setAsking(false)}
        title={words.stopAll.title(open.length)}
        description={words.stopAll.about}
        actions={
          <>
            <Button variant="quiet" onClick={() => setAsking(false)}>
              {common.back}
            </Button>
            <Button
              variant="danger"
              busy={stop.isPending}
              onClick={() =>
                stop.mutate(undefined, {
                  onSuccess: () => setAsking(false),
                  onError: (error) => notify({ text: error.message, tone: 'bad' }),
                })
              }
            >
              {words.stopAll.button}
            </Button>
          </>
        }
      />
    </>
  )
}
