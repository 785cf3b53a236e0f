/** The notes of a goal and what was learned for it: read, added, changed and removed. */
import type { GoalEntry, GoalView } from '@countersign/contract'
import { Pencil, Plus, X } from 'lucide-react'
import { useState } from 'react'
import { Button, FormDialog, Safe, Section, Sheet, TextArea, Time, useAct, useForm } from '../../kit/index.ts'
import { words as common } from '../../words/common.ts'
import { words } from '../../words/goals.tsx'

type List = 'notes' | 'learnings'

export function GoalEntries({ goal, list }: { goal: GoalView; list: List }) {
  const [adding, setAdding] = useState(false)
  const entries = goal[list].slice(-8)
  const said = words.notes
  return (
    <Section
      title={list === 'notes' ? said.notes : said.learned}
      aside={
        <Button variant="quiet" size="small" icon={Plus} onClick={() => setAdding(true)}>
          {list === 'notes' ? said.addNote : said.addLearning}
        </Button>
      }
    >
      <Sheet>
        {entries.length === 0 ? (
          <p className="text-ink-3">{list === 'notes' ? said.noNotes : said.noLearned}</p>
        ) : null}
        <ul className="space-y-1.5">
          {entries.map((entry) => (
            <EntryRow key={entry.id} goal={goal.id} list={list} entry={entry} />
          ))}
        </ul>
      </Sheet>
      {adding ? <EntryDialog goal={goal.id} list={list} onClose={() => setAdding(false)} /> : null}
    </Section>
  )
}

function EntryRow({ goal, list, entry }: { goal: string; list: List; entry: GoalEntry }) {
  const { isBusy, act } = useAct([['goals']])
  const [changing, setChanging] = useState(false)
  const notes = list === 'notes'
  return (
    <li className="flex items-start gap-2">
      <span className="min-w-0 flex-1">
        <Safe text={entry.text} /> <Time at={entry.at} className="text-small text-ink-3" />
      </span>
      <Button
        variant="quiet"
        size="small"
        icon={Pencil}
        aria-label={words.notes.change(entry.text.slice(0, 60))}
        onClick={() => setChanging(true)}
      />
      {changing ? (
        <EntryDialog goal={goal} list={list} entry={entry} onClose={() => setChanging(false)} />
      ) : null}
      <Button
        variant="quiet"
        size="small"
        icon={X}
        busy={isBusy}
        aria-label={words.notes.remove(entry.text.slice(0, 60))}
        onClick={() =>
          void act(
            (client) =>
              notes ? client.removeGoalNote(goal, entry.id) : client.removeGoalLearning(goal, entry.id),
            words.notes.removed,
            (client) =>
              notes
                ? client.addGoalNote(goal, { text: entry.text })
                : client.addGoalLearning(goal, { text: entry.text }),
          )
        }
      />
    </li>
  )
}

/** Adds one, or gives the one that is named other words. */
function EntryDialog({
  goal,
  list,
  entry,
  onClose,
}: {
  goal: string
  list: List
  entry?: GoalEntry
  onClose: () => void
}) {
  const { perform } = useAct([['goals']])
  const notes = list === 'notes'
  const form = useForm({ text: entry?.text ?? '' }, ({ text }) => ({
    text: text.trim() === '' ? words.notes.problem : undefined,
  }))
  const save = () =>
    perform((client) => {
      const body = { text: form.values.text.trim() }
      if (entry === undefined)
        return notes ? client.addGoalNote(goal, body) : client.addGoalLearning(goal, body)
      return notes ? client.setGoalNote(goal, entry.id, body) : client.setGoalLearning(goal, entry.id, body)
    })
  return (
    <FormDialog
      size="small"
      title={
        entry !== undefined
          ? words.notes.change(entry.text.slice(0, 60))
          : notes
            ? words.notes.addNote
            : words.notes.addLearning
      }
      form={form}
      submit={entry === undefined ? common.add : common.save}
      onSubmit={save}
      onClose={onClose}
    >
      <TextArea label={notes ? words.notes.noteText : words.notes.learningText} {...form.field('text')} />
    </FormDialog>
  )
}
