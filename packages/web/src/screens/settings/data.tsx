/** What is kept and where, how to take it along, and where the rest is set. */
import { Download } from 'lucide-react'
import { useState } from 'react'
import { useStatus } from '../../environment/queries.ts'
import { useClient } from '../../environment/services.tsx'
import { Button, ButtonLink, Facts, Loaded, Section, saveFile, useNotify } from '../../kit/index.ts'
import { sizeWords } from '../../language/format.ts'
import { words } from '../../words/settings.tsx'

export function Data() {
  const client = useClient()
  return (
    <>
      <Section level={2} title={words.data.export} className="mt-0">
        <p className="mb-3 max-w-prose text-ink-2">{words.data.exportAbout}</p>
        <div className="flex flex-wrap gap-2">
          <SaveButton label={words.data.ledger} file="ledger.jsonl" ask={() => client.exportLedger()} />
          <SaveButton label={words.data.memories} file="memories.jsonl" ask={() => client.exportMemories()} />
        </div>
      </Section>
      <Section level={2} title={words.data.where}>
        <p className="mb-3 max-w-prose text-ink-2">{words.data.whereAbout}</p>
        <Kept />
      </Section>
      <Section level={2} title={words.data.elsewhere}>
        <div className="flex flex-wrap gap-2">
          <ButtonLink to="/policy/in-force">{words.data.level}</ButtonLink>
          <ButtonLink to="/costs">{words.data.limits}</ButtonLink>
          <ButtonLink to="/models">{words.data.models}</ButtonLink>
          <ButtonLink to="/files">{words.data.files}</ButtonLink>
        </div>
      </Section>
    </>
  )
}

function SaveButton({
  label,
  file,
  ask,
}: {
  label: string
  file: string
  ask: () => Promise<ReadableStream<Uint8Array> | null>
}) {
  const notify = useNotify()
  const [busy, setBusy] = useState(false)
  const save = async () => {
    setBusy(true)
    try {
      saveFile(await new Response(await ask()).blob(), file)
      notify({ text: words.data.saved(file) })
    } catch (error) {
      notify({ text: error instanceof Error ? error.message : words.data.notSaved, tone: 'bad' })
    } finally {
      setBusy(false)
    }
  }
  return (
    <Button icon={Download} busy={busy} onClick={() => void save()}>
      {label}
    </Button>
  )
}

function Kept() {
  const status = useStatus()
  return (
    <Loaded query={status}>
      {({ database, disk }) => (
        <Facts
          rows={[
            [words.data.database, words.data.mode[database.mode](sizeWords(disk.database))],
            [words.data.workspace, sizeWords(disk.workspace)],
            [words.data.details, sizeWords(disk.details)],
            [words.data.logs, sizeWords(disk.logs)],
            [words.data.free, sizeWords(disk.free)],
          ]}
        />
      )}
    </Loaded>
  )
}
