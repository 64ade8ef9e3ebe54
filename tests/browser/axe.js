// axe's verdict on the page, or on parts of it.
import AxeBuilder from '@axe-core/playwright'
import { expect } from '@playwright/test'

/**
 * No violation in `parts` (selectors), or anywhere. What stands in a frame is a page of its own and judged there, so all is judged in
 * place (axe's legacy mode) instead of carrying its findings to a second page and back; of what passes, thousands of nodes, only one a
 * rule is kept.
 */
export async function noFindings(page, ...parts) {
  const axe = new AxeBuilder({ page }).setLegacyMode().options({ resultTypes: ['violations'], iframes: false })
  for (const part of parts) axe.include(part)
  const { violations } = await axe.analyze()
  expect(violations.map(({ id, nodes }) => `${id}, ${nodes.length} nodes: ${nodes.slice(0, 5).map(({ html }) => html.slice(0, 200)).join(' | ')}`)).toEqual([])
}
