/** The contacts that a page offers while a person types. */

/** The contact of this address, from the list of the form. */
export function contactOf(form: HTMLElement, email: string): { name: string; locale: string } | undefined {
  const wanted = email.trim().toLowerCase()
  const options = [...form.querySelectorAll<HTMLOptionElement>('#contacts option')]
  const found = options.find(({ dataset }) => dataset.email?.toLowerCase() === wanted)?.dataset
  return found && { name: found.name ?? '', locale: found.locale ?? '' }
}
