/** Owns the names of the collections that agents and teams are kept in. */

export const agentsCollection = 'agents'
export const teamsCollection = 'agent_teams'
/** One record, `operator`. */
export const profileCollection = 'profile'
/** What was laid out from the product, and who was chosen to answer where nobody is named. */
export const settingsCollection = 'agent_settings'
