/** Owns the last section of a prompt: the goal, what came of earlier conversations, and what is remembered. */
import { promptLimits as limits } from '../limits.ts'
import type {
  ConversationContext,
  GoalContext,
  GoalLine,
  MemoryItem,
  PromptItem,
  SummaryItem,
} from './context.ts'
import { contentText, lineText, openTag, tagged, trustOf } from './markup.ts'
import { line, list, type Section, type SectionPart } from './section.ts'

/** Most lasting first: the words that were found for the newest message come last. */
export function conversationSection(conversation: ConversationContext): Section {
  const { messages, task, goal, goals = [], summaries = [], memories = [] } = conversation
  return {
    name: 'conversation',
    open: '<conversation>',
    close: '</conversation>',
    parts: [
      ...(goal ? goalParts(goal) : []),
      ...(task ? [line(tagged('task', trustOf(task.label), contentOf(task)), task.label)] : []),
      list('goals', goals.map(goalItem), limits.goals, { open: '<goals>', close: '</goals>' }),
      list('summaries', summaries.map(summaryItem), limits.summaries, {
        open: '<earlier_conversations>',
        close: '</earlier_conversations>',
      }),
      list('memories', memories.map(memoryItem), limits.memories, {
        open: '<memories>',
        close: '</memories>',
      }),
      ...(messages === undefined || messages < step ? [] : [line(countText(messages))]),
    ],
  }
}

/** A count that changes with every message would make every prompt a new one. */
const step = 10

const countText = (messages: number): string =>
  `<messages>${Math.floor(messages / step) * step} or more so far</messages>`

function goalParts({ id, title, description, label, steps, notes, learnings }: GoalContext): SectionPart[] {
  const told = (tag: string, items: readonly PromptItem[], longest: number) =>
    items.map((item) => ({
      text: tagged(tag, trustOf(item.label), contentText(item.text, longest)),
      label: item.label,
    }))
  return [
    line(
      [
        openTag('goal', { id, title, ...trustOf(label) }),
        contentText(description, limits.descriptionLength),
        '</goal>',
      ].join(''),
      label,
    ),
    list(
      'steps',
      steps.map((each) => ({
        text: tagged(
          'step',
          { status: each.status, ...trustOf(each.label) },
          lineText(each.title, limits.lineLength),
        ),
        label: each.label,
      })),
      limits.steps,
      { open: '<steps>', close: '</steps>' },
    ),
    list('notes', told('note', notes, limits.noteLength), limits.notes, {
      open: '<notes>',
      close: '</notes>',
    }),
    list('learnings', told('learning', learnings, limits.noteLength), limits.learnings, {
      open: '<learnings>',
      close: '</learnings>',
    }),
  ]
}

function goalItem({ id, title, status, next, label }: GoalLine) {
  const words = lineText(title, limits.lineLength)
  const after = next === undefined ? '' : `; next: ${lineText(next, limits.lineLength)}`
  return { text: tagged('goal', { id, status, ...trustOf(label) }, `${words}${after}`), label }
}

function summaryItem(summary: SummaryItem) {
  const { at, text, label } = summary
  return {
    text: tagged(
      'summary',
      { ended: at.slice(0, 10), ...trustOf(label) },
      contentText(text, limits.summaryLength),
    ),
    label,
  }
}

function memoryItem({ id, type, text, label }: MemoryItem) {
  return {
    text: tagged('memory', { id, type, ...trustOf(label) }, contentText(text, limits.memoryLength)),
    label,
  }
}

const contentOf = ({ text }: PromptItem): string => contentText(text, limits.descriptionLength)
