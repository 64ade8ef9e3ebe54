// The lesson «Một lần gọi mô hình tốn gì»: joins its sections to its data.
import data from '../../static/data/one_model_call.json';
import builtRun from '../../.cache/engine-data/run.json';
import { answerQuestions } from '../offline/page.js';
import { balanceSection, improveSection, measuredSection } from './cost_sections.js';
import { createAsker } from './engine_run.js';
import { machineSection } from './machine_section.js';
import { followReader } from './contents.js';
import { phasesSection } from './phases_section.js';
import { questionsSection } from './questions_section.js';

document.documentElement.dataset.lesson = 'alive'; // hides the sentence for when it is not
const asker = createAsker();
phasesSection(builtRun, asker);
measuredSection(data);
balanceSection(data);
improveSection(data);
questionsSection(data);
machineSection(asker);
followReader(document.querySelector('.contents'));
answerQuestions();
