// What the report does beside being read: light and dark, a filter over everything that was judged, print.
(() => {
  "use strict";
  document.querySelector(".tools").hidden = false;
  document.getElementById("theme").addEventListener("click", () => {
    const page = document.documentElement;
    const chosen = page.getAttribute("data-theme");
    const dark = chosen ? chosen === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
    page.setAttribute("data-theme", dark ? "light" : "dark");
  });
  const filter = document.getElementById("filter");
  const left = document.getElementById("left");
  const groups = [...document.querySelectorAll(".lines")].map((group) => ({
    group,
    lines: [...group.querySelectorAll(":scope > ul > li")].map((line) => ({ line, text: line.textContent.toLowerCase() })),
  }));
  document.querySelector(".filter").hidden = false;
  const sift = () => {
    const words = filter.value.trim().toLowerCase().split(/\s+/);
    let count = 0;
    for (const { group, lines } of groups) {
      let any = false;
      for (const { line, text } of lines) {
        line.hidden = !words.every((word) => text.includes(word));
        any ||= !line.hidden;
        count += line.hidden ? 0 : 1;
      }
      group.hidden = !any;
    }
    left.textContent = filter.value.trim() ? `${count} left` : "";
  };
  filter.addEventListener("input", sift);
  // A link into the list must find its line.
  addEventListener("hashchange", () => {
    const line = document.getElementById(decodeURIComponent(location.hash.slice(1)));
    if (!line?.hidden) return;
    filter.value = "";
    sift();
    line.scrollIntoView();
  });
  addEventListener("beforeprint", () => {
    for (const details of document.querySelectorAll("details")) details.open = true;
  });
})();
