/** Tells who the operator is, as they said it themselves. Whoever asks knows private things from then on. */
import { z } from 'zod'
import { defineTool } from '../definition.ts'
import { listing } from '../records/effects.ts'
import { recordLabel, tellingOf } from '../records/kept-label.ts'
import { succeeded } from '../result.ts'

export const aboutOperator = defineTool({
  name: 'about_operator',
  version: '2',
  description:
    'Tell who the operator is: their name, facts about them, what they prefer and their interests, in their own words.',
  input: z.strictObject({}),
  category: 'memory',
  group: 'memory',
  tags: [
    'profile',
    'who am i',
    'my name',
    'about me',
    'interests',
    'preferences',
    'what do you know about me',
  ],
  effect: 'pure',
  floor: 0,
  output: recordLabel,
  listed: true,
  runs: 'gateway',
  describe: () => 'Look up who the operator is',
  preview: () => ({
    kind: 'text',
    title: 'Look up who the operator is',
    text: 'Name, facts, preferences and interests',
  }),
  effects: async () => listing('profile', 'the profile'),
  async run(_args, context) {
    const { profile, label } = await context.assistant.profile()
    const { name, facts, interests, preferences = [] } = profile
    const told = [
      ...(name === undefined ? [] : [`Name: ${name}`]),
      ...facts.map((fact) => `Fact: ${fact}`),
      ...preferences.map((preference) => `Preference: ${preference}`),
      ...interests.map((interest) => `Interest: ${interest}`),
    ]
    if (told.length === 0)
      return succeeded(
        'The operator has said nothing about themselves. recall may know more.',
        'Nothing said',
      )
    return tellingOf([{ label }], succeeded(told.join('\n'), 'Looked up who the operator is'))
  },
})
