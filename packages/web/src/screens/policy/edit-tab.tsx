/** The rules as they are written: files, checks while typing, and what each rule says in words. */

import type { PolicyCheck } from '@countersign/contract'
import { useRef, useState } from 'react'
import { useTools } from '../../environment/queries.ts'
import { Button, classes, Safe, Section, Sheet, TextField } from '../../kit/index.ts'
import { words } from '../../words/policy.tsx'
import { ChangePanel } from './change-panel.tsx'
import { useCheck } from './draft-queries.ts'
import { usePolicyDraft } from './policy-draft.tsx'
import { goToLine, RuleEditor } from './rule-editor.tsx'
import { RuleList } from './rule-list.tsx'

const firstName = 'mine.cedar'

export function EditTab() {
  const { draft, change } = usePolicyDraft()
  const place = useRef<HTMLDivElement>(null)
  const tools = useTools()
  const check = useCheck()
  const [wanted, setWanted] = useState(draft.files[0]?.name ?? firstName)
  const file = draft.files.find(({ name }) => name === wanted) ??
    draft.files[0] ?? { name: firstName, text: '' }
  const problems = check.data?.problems ?? []
  const write = (text: string) =>
    change({
      files: draft.files.some(({ name }) => name === file.name)
        ? draft.files.map((each) => (each.name === file.name ? { ...each, text } : each))
        : [...draft.files, { name: file.name, text }],
    })
  return (
    <>
      <h2 className="sr-only">{words.tabs.edit}</h2>
      <ChangePanel brief />
      <div className="grid gap-x-8 gap-y-4 lg:grid-cols-[minmax(0,1fr)_22rem]">
        <div className="min-w-0" ref={place}>
          <Files current={file.name} onChoose={setWanted} />
          <RuleEditor
            key={file.name}
            label={words.edit.rulesOf(file.name)}
            text={file.text}
            problemLines={new Set(problems.filter((each) => each.file === file.name).map(({ line }) => line))}
            sources={{
              tools: (tools.data ?? []).map(({ name }) => name),
              categories: [...new Set((tools.data ?? []).map(({ category }) => category))],
            }}
            onChange={write}
          />
          <Problems
            problems={problems}
            onOpen={({ file: name, line }) => {
              setWanted(name)
              requestAnimationFrame(() =>
                goToLine(place.current?.querySelector('textarea[data-rules]') ?? null, line),
              )
            }}
          />
        </div>
        <Section title={words.edit.inWords} className="lg:mt-0!">
          {check.data === undefined || check.data.rules.length === 0 ? (
            <p className="text-ink-2">{problems.length > 0 ? words.edit.fixFirst : words.edit.noRules}</p>
          ) : (
            <RuleList rules={check.data.rules} />
          )}
        </Section>
      </div>
    </>
  )
}

function Files({ current, onChoose }: { current: string; onChoose: (name: string) => void }) {
  const { draft, change } = usePolicyDraft()
  const [adding, setAdding] = useState<string | null>(null)
  const name = `${(adding ?? '').replace(/\.cedar$/, '')}.cedar`
  const isFree =
    /^[A-Za-z0-9][A-Za-z0-9_-]{0,59}\.cedar$/.test(name) && !draft.files.some((each) => each.name === name)
  return (
    <div className="mb-2 flex flex-wrap items-end gap-2">
      {draft.files.map((file) => (
        <button
          key={file.name}
          type="button"
          aria-pressed={file.name === current}
          onClick={() => onChoose(file.name)}
          className={classes(
            'target rounded-1 border px-2.5 py-1 font-mono text-small',
            file.name === current ? 'border-act bg-act-soft' : 'border-line-strong bg-sheet text-ink-2',
          )}
        >
          {file.name}
        </button>
      ))}
      {adding === null ? (
        <Button variant="quiet" onClick={() => setAdding('')}>
          {words.edit.addFile}
        </Button>
      ) : (
        <form
          className="flex items-end gap-2"
          onSubmit={(event) => {
            event.preventDefault()
            if (!isFree) return
            change({ files: [...draft.files, { name, text: '' }] })
            onChoose(name)
            setAdding(null)
          }}
        >
          <TextField
            label={words.edit.fileName}
            value={adding}
            onChange={(event) => setAdding(event.target.value)}
          />
          <Button type="submit" disabled={!isFree}>
            {words.edit.add}
          </Button>
        </form>
      )}
      {draft.files.some((file) => file.name === current) ? (
        <Button
          variant="quiet"
          onClick={() => change({ files: draft.files.filter((file) => file.name !== current) })}
        >
          {words.edit.removeFile(current)}
        </Button>
      ) : null}
    </div>
  )
}

function Problems({
  problems,
  onOpen,
}: {
  problems: PolicyCheck['problems']
  onOpen: (problem: PolicyCheck['problems'][number]) => void
}) {
  if (problems.length === 0) return null
  return (
    <Sheet className="mt-3 border-bad!">
      <p className="mb-1 font-medium">{words.edit.problems(problems.length)}</p>
      <ul className="space-y-1" role="alert">
        {problems.map((problem) => (
          <li key={`${problem.file}:${problem.line} ${problem.message}`} className="flex flex-wrap gap-x-2">
            <button
              type="button"
              className="target font-mono text-small underline"
              onClick={() => onOpen(problem)}
            >
              {words.edit.line(problem.file, problem.line)}
            </button>
            <Safe text={problem.message} />
          </li>
        ))}
      </ul>
    </Sheet>
  )
}
