"use strict";
(() => {
  const steps = [...document.querySelectorAll(".step")];
  if (!steps.length) return;
  const scrubber = document.querySelector(".scrub input");
  const bars = document.querySelectorAll(".scrub rect");
  const label = document.querySelector(".player output");
  const large = document.querySelector("dialog.large");
  let at = 0;

  function show(index, { scroll = false, first = false } = {}) {
    steps[at].classList.remove("now");
    bars[at].classList.remove("now");
    at = Math.min(Math.max(index, 0), steps.length - 1);
    steps[at].classList.add("now");
    bars[at].classList.add("now");
    scrubber.value = at + 1;
    label.textContent = `Step ${at + 1} of ${steps.length} · ${steps[at].dataset.time}`;
    // During loading, a browser would scroll to it, past the goal and the outcome.
    if (!first) history.replaceState(null, "", `#step-${at + 1}`);
    if (scroll) steps[at].scrollIntoView({ block: "nearest" });
  }

  function hashed() {
    const found = /^#step-(\d+)$/.exec(location.hash);
    if (found) show(Number(found[1]) - 1, { scroll: true });
    return Boolean(found);
  }

  // The images of the current step, enlarged: the chosen one, and the other one for comparison.
  let pictures = [];
  function enlarge(which) {
    const words = large.querySelector("p");
    large.querySelector("svg")?.remove();
    large.append(pictures[which].cloneNode(true));
    const other = pictures.length > 1 ? " Space compares before and after." : "";
    words.textContent = `${pictures[which].getAttribute("aria-label")}.${other} Esc closes.`;
    large.dataset.which = which;
    if (!large.open) large.showModal();
  }
  function enlarged(picture) {
    pictures = [...picture.closest(".shots, .sent").querySelectorAll(".screen")];
    enlarge(pictures.indexOf(picture));
  }

  document.documentElement.classList.add("live");
  scrubber.parentElement.style.setProperty("--steps", steps.length);
  if (!hashed()) show(0, { first: true });

  scrubber.addEventListener("input", () => show(scrubber.value - 1));
  for (const button of document.querySelectorAll("[data-go]")) {
    button.addEventListener("click", () => show(at + Number(button.dataset.go)));
  }
  window.addEventListener("hashchange", hashed);
  document.addEventListener("click", (event) => {
    const picture = event.target.closest(".screen");
    if (large.open) large.close();
    else if (picture) enlarged(picture);
  });
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    if (large.open) {
      if (event.key !== " " && event.key !== "Enter") return;
      event.preventDefault();
      enlarge((Number(large.dataset.which) + 1) % pictures.length);
      return;
    }
    if (event.key === "Enter" && event.target.matches(".screen")) {
      event.preventDefault();
      enlarged(event.target);
      return;
    }
    const to = { ArrowLeft: at - 1, ArrowRight: at + 1, Home: 0, End: steps.length - 1 }[event.key];
    if (to === undefined || event.target === scrubber) return;
    event.preventDefault();
    show(to);
  });
})();
