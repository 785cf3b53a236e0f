/** Installs the part that finds memories by their meaning on this machine, and shows how far that is. */
import { useState } from 'react'
import { useChange } from '../../environment/queries.ts'
import { Button, FormError, Meter, Safe, Section, Sheet } from '../../kit/index.ts'
import { words } from '../../words/models.tsx'
import { useModelRoutes } from './model-queries.ts'

const part = 'local-embeddings'

export function LocalEmbeddings() {
  const routes = useModelRoutes()
  const [step, setStep] = useState<{ readonly fraction: number; readonly words: string } | null>(null)
  const install = useChange(
    async (client) => {
      setStep(null)
      for await (const each of await client.installPart(part)) {
        if ('fraction' in each) setStep(each)
        else if ('problem' in each) throw new Error(each.problem)
        else return each.version
      }
      throw new Error(words.local.stopped)
    },
    [['models']],
  )
  const used = routes.data?.find(({ purpose }) => purpose === 'embeddings')?.next
  if (used?.startsWith(part) === true && !install.isSuccess) return null
  return (
    <Section level={2} title={words.local.title}>
      <Sheet className="grid gap-3">
        <p className="max-w-prose text-ink-2">{words.local.about}</p>
        {install.isPending ? (
          <Meter
            label={words.local.installing}
            value={step?.fraction ?? 0}
            of={1}
            words={`${Math.round((step?.fraction ?? 0) * 100)} %`}
          />
        ) : null}
        {install.isPending && step !== null ? <Safe text={step.words} className="text-small" /> : null}
        {install.error === null ? null : <FormError error={install.error} />}
        {install.isSuccess ? (
          <p role="status">{words.local.installed(install.data)}</p>
        ) : (
          <Button className="justify-self-start" busy={install.isPending} onClick={() => install.mutate()}>
            {words.local.install}
          </Button>
        )}
      </Sheet>
    </Section>
  )
}
