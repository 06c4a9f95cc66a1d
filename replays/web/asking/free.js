/** Whether nothing is being typed elsewhere, so that the focus may go to what waits. */
export const isFree = () => !(document.activeElement instanceof HTMLInputElement && document.activeElement.value) && !document.querySelector("dialog[open], .drawer");
