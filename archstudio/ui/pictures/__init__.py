"""The graph as a picture: for papers, slides, mail and paper, with the graph inside so that it opens again."""
