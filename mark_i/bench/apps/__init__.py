"""What is typed into and clicked on, and who else types: scripts for a virtual desktop, and what starts them."""
