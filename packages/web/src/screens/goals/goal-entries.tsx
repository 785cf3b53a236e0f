/** The notes of a goal and what was learned for it: read, added and removed. */
import type { GoalEntry, GoalView } from '@countersign/contract'
import { Plus, X } from 'lucide-react'
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
      {adding ? <AddDialog goal={goal.id} list={list} onClose={() => setAdding(false)} /> : null}
    </Section>
  )
}

function EntryRow({ goal, list, entry }: { goal: string; list: List; entry: GoalEntry }) {
  const { isBusy, act } = useAct([['goals']])
  const notes = list === 'notes'
  return (
    <li className="flex items-start gap-2">
      <span className="min-w-0 flex-1">
        <Safe text={entry.text} /> <Time at={entry.at} className="text-small text-ink-3" />
      </span>
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

function AddDialog({ goal, list, onClose }: { goal: string; list: List; onClose: () => void }) {
  const { perform } = useAct([['goals']])
  const notes = list === 'notes'
  const form = useForm({ text: '' }, ({ text }) => ({
    text: text.trim() === '' ? words.notes.problem : undefined,
  }))
  const add = () =>
    perform((client) =>
      notes
        ? client.addGoalNote(goal, { text: form.values.text.trim() })
        : client.addGoalLearning(goal, { text: form.values.text.trim() }),
    )
  return (
    <FormDialog
      size="small"
      title={notes ? words.notes.addNote : words.notes.addLearning}
      form={form}
      submit={common.add}
      onSubmit={add}
      onClose={onClose}
    >
      <TextArea label={notes ? words.notes.noteText : words.notes.learningText} {...form.field('text')} />
    </FormDialog>
  )
}
