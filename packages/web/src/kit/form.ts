/** Owns what a person has filled in and what is wrong with it. A problem is told once its field was left, or on submit. */
import { type ChangeEvent, useState } from 'react'

/** What is wrong with each field, in words. Nothing where it is right. */
export type Problems<Values> = Partial<Record<keyof Values, string | undefined>>

/** The names of the fields that hold a value of one kind. */
type NamesOf<Values, Kind> = {
  [Name in keyof Values]: Values[Name] extends Kind ? Name : never
}[keyof Values] &
  string

type Control = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement

export interface Form<Values extends object> {
  readonly values: Values
  /** Whether anything differs from what it began with. */
  readonly isChanged: boolean
  readonly set: <Name extends keyof Values>(name: Name, value: Values[Name]) => void
  /** For `TextField`, `TextArea` and `Select`. */
  readonly field: (name: NamesOf<Values, string>) => {
    readonly name: string
    readonly value: string
    readonly problem: string | undefined
    readonly onChange: (event: ChangeEvent<Control>) => void
    readonly onBlur: () => void
  }
  /** For `Choice`. */
  readonly choice: <Name extends NamesOf<Values, string>>(
    name: Name,
  ) => { readonly value: Values[Name]; readonly onChange: (value: Values[Name]) => void }
  /** For `Checkbox` and `Toggle`. */
  readonly tick: (name: NamesOf<Values, boolean>) => {
    readonly checked: boolean
    readonly onChange: (checked: boolean) => void
  }
  /** The problem of what no control of the kit shows. */
  readonly problemOf: (name: keyof Values) => string | undefined
  /** Shows every problem. Whether there was none. */
  readonly check: () => boolean
  /** Begins again from these values. */
  readonly reset: (values: Values) => void
}

/** `const form = useForm({ title: '' }, ({ title }) => ({ title: title.trim() === '' ? words.needsTitle : undefined }))` */
export function useForm<Values extends object>(
  initial: Values,
  problemsOf: (values: Values) => Problems<Values> = () => ({}),
): Form<Values> {
  const [began, setBegan] = useState(initial)
  const [values, setValues] = useState(initial)
  const [told, setTold] = useState<ReadonlySet<keyof Values> | 'all'>(new Set())
  const problems = problemsOf(values)
  const tell = (name: keyof Values) =>
    setTold((before) => (before === 'all' ? before : new Set([...before, name])))
  const set: Form<Values>['set'] = (name, value) => setValues((before) => ({ ...before, [name]: value }))
  const problemOf = (name: keyof Values) =>
    told === 'all' || told.has(name) ? (problems[name] ?? undefined) : undefined
  return {
    values,
    isChanged: JSON.stringify(values) !== JSON.stringify(began),
    set,
    problemOf,
    field: (name) => ({
      name,
      value: String(values[name]),
      problem: problemOf(name),
      onChange: (event) => set(name, event.target.value as Values[typeof name]),
      onBlur: () => tell(name),
    }),
    choice: (name) => ({ value: values[name], onChange: (value) => set(name, value) }),
    tick: (name) => ({
      checked: Boolean(values[name]),
      onChange: (checked) => set(name, checked as Values[typeof name]),
    }),
    check() {
      setTold('all')
      return Object.values(problems).every((problem) => problem === undefined)
    },
    reset(next) {
      setBegan(next)
      setValues(next)
      setTold(new Set())
    },
  }
}
