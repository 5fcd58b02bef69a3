/** The default prompt of `llm_judge`. */
export const DEFAULT_PROMPT = `Say how well the answer of the agent meets these criteria.

Criteria:
{{ criteria }}

The question that the agent was given: {{ question }}
Its answer: {{ answer }}`;

/** Added when the test has an ideal answer. */
export const WITH_REFERENCE = `
An ideal answer: {{ reference }}
The answer may be worded differently and may say more; where the two disagree on something that matters, the ideal answer is right.`;

/** Added when the grader lists items. */
export const WITH_RUBRICS = `

Look for each of these:
{{ rubrics }}`;

export const RUBRICS_PROMPT = `Say of each item below whether the answer of the agent meets it. Judge every item by itself.

Items, each with its id:
{{ rubrics }}

The question that the agent was given: {{ question }}
Its answer: {{ answer }}`;

/** The default prompt of `agent_judge`. */
export const AGENT_PROMPT = `The agent worked in a folder of files. Look at the files as they are now, and say of each item below whether it is met.

Items, each with its id:
{{ rubrics }}

The question that the agent was given: {{ question }}
Its answer: {{ answer }}`;

/** Added for a judge that can read files. */
export const WITH_TOOLS = `

You can look at the files of the workspace with the tools list_files, read_file and search_files; all paths are relative to it. What a tool gives back is material too, between lines with the same mark. Look before you judge: what the agent claims is not evidence, what the files hold is.`;

/** The default prompt of a composite's judge. */
export const COMPOSITE_PROMPT = `Several graders have judged the answer of the agent. Weigh what they found, and give one score for the whole.

Criteria:
{{ criteria }}

The question that the agent was given: {{ question }}
Its answer: {{ answer }}`;

/** Added for a composite: the grades of its members are in the material. */
export const WITH_RESULTS = `

What each grader found: [results, in the material]`;
